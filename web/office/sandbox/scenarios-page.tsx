import { CopyButton } from '#web/design/copy-button.tsx';
import { OfficePage, Part } from '#web/office/parts/office-page.tsx';
import { type ScenarioText, scenarioText } from '#web/office/sandbox/scenario-text.ts';
import '#web/office/sandbox/sandbox.css';

// The build puts the files that Bourse brings along into the page.
const files = import.meta.glob<string>('../../../scenarios/*.yaml', { query: '?raw', import: 'default', eager: true });
const scenarios = Object.entries(files).map(([path, text]) => scenarioText(path, text));

const Command = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div class="scenario-command">
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </div>
);

const Scenario = ({ id, name, why, text }: ScenarioText) => (
  <Part title={name}>
    <p>{why}</p>
    <Command text={`bourse scenario run ${id}`} what={`command that runs ${id}`} />
    <Command
      text={`bourse scenario run ${id} --against ${location.origin}`}
      what={`command that runs ${id} on this exchange`}
    />
    <details>
      <summary>Its steps</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than its frame */}
      <pre class="scenario-text" tabIndex={0}>
        {text}
      </pre>
    </details>
  </Part>
);

/** The scenarios that Bourse brings along: what happens in each, why it bites, and how it is run. DEC-WEB-64. */
export const Page = () => (
  <OfficePage title="Scenarios" scope="market:control">
    <p class="soft scenario-head">
      A scenario is a test of a bot as a file: what the market, the clock and others do, and what has to hold. It runs
      on an exchange of its own, or on this one with the token of its demo.json: name another with --token-file.
    </p>
    <div class="scenario-list">
      {scenarios.map((scenario) => (
        <Scenario key={scenario.id} {...scenario} />
      ))}
    </div>
  </OfficePage>
);
