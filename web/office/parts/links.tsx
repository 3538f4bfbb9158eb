interface AccountLinkProps {
  readonly uid: number | null | undefined;
  /** Shown in place of the uid, where it is known. */
  readonly name?: string | undefined;
}

/** An account by its name or uid, as a link to all about it. */
export const AccountLink = ({ uid, name }: AccountLinkProps) =>
  uid === null || uid === undefined ? (
    <span class="soft">house</span>
  ) : (
    <a href={`/accounts/${uid}`} title={name === undefined ? undefined : `Account ${uid}`}>
      {name ?? uid}
    </a>
  );

/** A long text such as an address, cut in its middle; all of it is at hand. */
export const ShortText = ({ text }: { readonly text: string }) => (
  <span class="code-cell" title={text}>
    {text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`}
  </span>
);

/** A long text such as an address or a hash, which breaks anywhere. */
export const LongText = ({ text }: { readonly text: string | null | undefined }) =>
  text === null || text === undefined ? <span class="soft">–</span> : <span class="office-long">{text}</span>;
