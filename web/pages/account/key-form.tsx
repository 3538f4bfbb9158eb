import { useState } from 'preact/hooks';
import { faultAt, useAct } from '#web/data/use-answer.ts';
import { Button } from '#web/design/button.tsx';
import { TextToCopy } from '#web/design/copy-button.tsx';
import { Dialog } from '#web/design/dialog.tsx';
import { Refused } from '#web/design/facts.tsx';
import { Field } from '#web/design/field.tsx';

/** What keys of sub-accounts may do, and its words. */
const permissions = [
  ['SPOT_ACCOUNT_READ', 'Read the account'],
  ['SPOT_ACCOUNT_WRITE', 'Change the account'],
  ['SPOT_DEAL_READ', 'Read orders'],
  ['SPOT_DEAL_WRITE', 'Trade'],
  ['SPOT_TRANSFER_READ', 'Read transfers'],
  ['SPOT_TRANSFER_WRITE', 'Transfer'],
  ['CONTRACT_ACCOUNT_READ', 'Read the account of contracts'],
  ['CONTRACT_ACCOUNT_WRITE', 'Change the account of contracts'],
  ['CONTRACT_DEAL_READ', 'Read orders of contracts'],
  ['CONTRACT_DEAL_WRITE', 'Trade contracts'],
] as const;

interface MadeKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A key with its secret, which is here and nowhere else. */
const MadeDialog = ({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) => (
  <Dialog
    title="The key is made"
    onClose={onClose}
    foot={
      <Button kind="primary" onClick={onClose}>
        I kept them
      </Button>
    }
  >
    <p class="warning">The secret is shown this once: keep it before you close this.</p>
    <TextToCopy name="Access key" text={made.apiKey} what="access key" />
    <TextToCopy name="Secret key" text={made.secretKey} what="secret key" />
  </Dialog>
);

interface PermissionsProps {
  readonly chosen: ReadonlySet<string>;
  readonly onTurn: (permission: string) => void;
}

const Permissions = ({ chosen, onTurn }: PermissionsProps) => (
  <fieldset class="choices">
    <legend>What it may do</legend>
    {permissions.map(([permission, text]) => (
      <label key={permission} class="choice" title={permission}>
        <input type="checkbox" checked={chosen.has(permission)} onChange={() => onTurn(permission)} />
        {text}
      </label>
    ))}
  </fieldset>
);

/** Makes a key of a sub-account. Its secret is shown once, and kept nowhere. DEC-WEB-37. */
export function KeyForm({ subAccount, onDone }: { readonly subAccount: string; readonly onDone: () => void }) {
  const [note, setNote] = useState('');
  const [ip, setIp] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['SPOT_ACCOUNT_READ', 'SPOT_DEAL_READ']));
  const [made, setMade] = useState<MadeKey | null>(null);
  const act = useAct();
  const turn = (permission: string): void => {
    const next = new Set(chosen);
    if (!next.delete(permission)) next.add(permission);
    setChosen(next);
    act.forget();
  };
  const make = async (): Promise<void> => {
    const addresses = ip
      .split(/[\s,]+/)
      .filter((address) => address !== '')
      .join(',');
    const members = { subAccount, note: note.trim(), permissions: [...chosen].join(',') };
    const isDone = await act.run(async (client) => {
      const { apiKey, secretKey } = await client.createSubAccountKey(
        addresses === '' ? members : { ...members, ip: addresses },
      );
      setMade({ apiKey, secretKey });
    });
    if (isDone) onDone();
  };
  return (
    <form
      class="card panel"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h2>Make a key of {subAccount}</h2>
      <Field label="Note" value={note} onInput={setNote} fault={faultAt(act.refusal, 'note')} />
      <Permissions chosen={chosen} onTurn={turn} />
      <Field
        label="Addresses that may use it: up to 20, with commas between; empty: any"
        value={ip}
        onInput={setIp}
        placeholder="203.0.113.7, 198.51.100.0/24"
        fault={faultAt(act.refusal, 'ip')}
      />
      <Refused text={faultAt(act.refusal, 'note', 'ip') === null ? (act.refusal?.text ?? null) : null} />
      <Button kind="primary" type="submit" disabled={note.trim() === '' || chosen.size === 0 || act.isBusy}>
        Make the key
      </Button>
      {made === null ? null : (
        <MadeDialog
          made={made}
          onClose={() => {
            setMade(null);
            setNote('');
          }}
        />
      )}
    </form>
  );
}
