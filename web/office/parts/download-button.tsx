import { useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { say } from '#web/design/toasts.tsx';
import { type AnyMembers, type CallId, readOfficeText } from '#web/office/data/office-calls.ts';
import { saveFile } from '#web/data/save-file.ts';

interface DownloadButtonProps {
  readonly id: CallId;
  readonly members?: AnyMembers;
  readonly label: string;
  /** Name of the file; its end tells the type. */
  readonly file: string;
}

const types: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json' };

/** Asks for what an endpoint answers and puts it into a file. The token is in no address. */
export function DownloadButton({ id, members = {}, label, file }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const load = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(file, await readOfficeText(id, members), types[file.split('.').at(-1) as string] ?? 'text/plain');
    } catch (error) {
      say((error as Error).message, 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isSmall disabled={isBusy} onClick={() => void load()}>
      {label}
    </Button>
  );
}
