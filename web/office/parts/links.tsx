/** An account by its uid, as a link to all about it. */
export const AccountLink = ({ uid }: { readonly uid: number | null | undefined }) =>
  uid === null || uid === undefined ? <span class="soft">house</span> : <a href={`/accounts/${uid}`}>{uid}</a>;

/** A long text such as an address or a hash, which breaks anywhere. */
export const LongText = ({ text }: { readonly text: string | null | undefined }) =>
  text === null || text === undefined ? <span class="soft">–</span> : <span class="office-long">{text}</span>;
