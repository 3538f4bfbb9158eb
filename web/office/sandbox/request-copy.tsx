import { signal } from '@preact/signals';
import { CopyButton } from '#web/design/copy-button.tsx';
import { type Tab, Tabs } from '#web/design/tabs.tsx';
import { useCall } from '#web/office/data/use-office.ts';
import { ReadingView } from '#web/office/parts/reading-view.tsx';
import { ShownText } from '#web/office/sandbox/shown-text.tsx';

type Format = 'curl' | 'ccxt' | 'python';

const formats: readonly Tab<Format>[] = [
  { id: 'curl', title: 'curl' },
  { id: 'ccxt', title: 'ccxt' },
  { id: 'python', title: 'Python' },
];

/** The form that was chosen last: it stays while one looks at other requests. */
const chosen = signal<Format>('curl');

interface RequestCopyProps {
  readonly id: number;
  /** Whether the request is signed anew by whoever runs it. */
  readonly isSigned: boolean;
}

/** A request as text to be run again. DEC-WEB-66. */
export function RequestCopy({ id, isSigned }: RequestCopyProps) {
  const format = chosen.value;
  const reading = useCall('exportRequests', { id, format });
  return (
    <>
      <Tabs label="Copy as" tabs={formats} chosen={format} onChoose={(next) => (chosen.value = next)} />
      {isSigned ? (
        <p class="soft">
          It is signed when it runs, at the time of the exchange, with the secret key in the variable BOURSE_SECRET.
          That of a demo account is asked of the sandbox, which gives it to programs of this machine.
        </p>
      ) : null}
      <ReadingView reading={reading}>
        {({ text }) =>
          text === '' ? (
            <p class="soft">It was for no endpoint, so ccxt has no call of it.</p>
          ) : (
            <>
              <ShownText label="The request as text" text={text} style="copy-text" />
              <div class="office-acts">
                <CopyButton text={text} what={format === 'python' ? 'script' : 'request'} />
                {text.includes('***') ? (
                  <span class="soft">Put in what the log hides: it stands there as ***.</span>
                ) : null}
              </div>
            </>
          )
        }
      </ReadingView>
    </>
  );
}
