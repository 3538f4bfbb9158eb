import { useEffect, useState } from 'preact/hooks';
import { Button } from '#web/design/button.tsx';
import { Refused } from '#web/design/facts.tsx';
import { ChoiceField, Field } from '#web/design/field.tsx';
import { grouped } from '#web/design/number-text.ts';
import { Part } from '#web/office/parts/office-page.tsx';
import { CheckList } from '#web/office/sandbox/check-list.tsx';
import { PathChart } from '#web/office/sandbox/path-chart.tsx';
import { PathFields } from '#web/office/sandbox/path-fields.tsx';
import { type PathEntries, placesText, presets, readPath, shapeName } from '#web/office/sandbox/path-form.ts';
import { type PathPoint, type PathView, pointsOf, reachOf, viewOf } from '#web/office/sandbox/path-points.ts';
import { spanOf, spanText } from '#web/office/sandbox/span-text.ts';
import { type Control, useControl } from '#web/office/sandbox/use-control.ts';
import type { Market } from '#web/office/sandbox/use-market.ts';

const ranges = ['1', '5', '10', '25', '50', '90'].map((value) => ({ value, text: `± ${value} %` }));
const memberNames = ['assets', 'volatilityPpm'].concat(
  ['changePpm', 'changePpmPerHour', 'seconds', 'widthPpm', 'fallPpm', 'fallSeconds', 'bottomSeconds'].map(
    (name) => `path/${name}`,
  ),
  ['recoverySeconds', 'recoveredPpm'].map((name) => `path/${name}`),
);
const blank: PathEntries = { kind: 'segments', members: {}, places: [], chance: '' };

/** A path that was started here: where the value was then, and where it has been since. */
interface Run {
  readonly asset: string;
  readonly usd: number;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly live: readonly PathPoint[];
}

const worthOf = ({ values }: Market, asset: string | undefined): number | null => {
  const value = values.find((each) => each.asset === asset);
  return value === undefined ? null : Number(value.usd);
};

/** Follows the value of a path that was started here until the path is over. */
function useRun(market: Market) {
  const [run, setRun] = useState<Run | null>(null);
  useEffect(() => {
    setRun((now) => {
      const usd = now === null ? null : worthOf(market, now.asset);
      if (now === null || usd === null || market.now > now.endsAt + 1000) return now;
      const seconds = (market.now - now.startedAt) / 1000;
      return { ...now, live: [...now.live, { seconds, percent: (usd / now.usd - 1) * 100 }] };
    });
  }, [market]);
  return [run, setRun] as const;
}

interface CanvasProps {
  readonly canvas: { readonly length: string; readonly range: string };
  readonly onChange: (canvas: { readonly length: string; readonly range: string }) => void;
}

/** How much time and change there is to draw in. */
const CanvasFields = ({ canvas, onChange }: CanvasProps) => (
  <div class="control-pair">
    <Field label="Time to draw in" value={canvas.length} onInput={(length) => onChange({ ...canvas, length })} />
    <ChoiceField
      label="Change to draw in"
      value={canvas.range}
      choices={ranges.some(({ value }) => value === canvas.range) ? ranges : [...ranges, asRange(canvas.range)]}
      onChoose={(range) => onChange({ ...canvas, range })}
    />
  </div>
);
const asRange = (value: string) => ({ value, text: `± ${value} %` });

/** What the canvas shows; what cannot be read is as at first. */
function canvasView({ length, range }: CanvasProps['canvas']): PathView {
  try {
    return { seconds: Math.max(1, spanOf(length) / 1000), percent: Number(range) };
  } catch {
    return { seconds: 120, percent: Number(range) };
  }
}

const shownDecimals = 4;
const secondMs = 1000;
/** How long it goes on, in whole seconds. */
const leftText = (endsAt: number | null, now: number): string =>
  spanText(Math.ceil(Math.max(0, (endsAt ?? now) - now) / secondMs) * secondMs);

/** Coins that follow a path now, and the way to end all of them. */
function Led({ market, control, onChange }: { market: Market; control: Control; onChange: () => void }) {
  const led = market.values.filter(({ path }) => path !== null);
  if (led.length === 0) return <p class="soft">No coin follows a path.</p>;
  const end = async (): Promise<void> => {
    await control.run('clearPaths', {}, 'All paths were ended.');
    onChange();
  };
  return (
    <div class="control-progress">
      <ul class="path-led">
        {led.map(({ asset, usd, path, endsAt }) => (
          <li key={asset}>
            <strong>{asset}</strong> {shapeName(path)}, over in {leftText(endsAt, market.now)}, at{' '}
            <span class="number">{grouped(usd, shownDecimals)}</span> USD
          </li>
        ))}
      </ul>
      <Button isSmall disabled={control.isBusy} onClick={() => void end()}>
        End all paths
      </Button>
    </div>
  );
}

/** Leads what coins are worth along a path that is drawn, chosen or entered. DEC-WEB-62. */
export function LeadPrices({ market, onChange }: { readonly market: Market; readonly onChange: () => void }) {
  const control = useControl(memberNames);
  const [assets, setAssets] = useState<readonly string[]>(() => market.values.slice(0, 1).map(({ asset }) => asset));
  const [entries, setEntries] = useState<PathEntries>(blank);
  const [canvas, setCanvas] = useState({ length: '2 m', range: '10' });
  const [run, setRun] = useRun(market);
  const { path, volatilityPpm, faults } = readPath(entries);
  const isDrawn = entries.kind === 'segments';
  const points = path === null ? [] : pointsOf(path);
  const reach = path === null ? null : reachOf(path);
  const view = isDrawn ? canvasView(canvas) : viewOf(points, reach);
  const [asset] = assets;
  const isRunHere = run !== null && run.asset === asset;

  const enter = (part: Partial<PathEntries>): void => setEntries((now) => ({ ...now, ...part }));
  const choose = (preset: Partial<PathEntries>): void => {
    const next = { ...blank, ...preset };
    setEntries(next);
    const { path: chosen } = readPath(next);
    if (chosen !== null) show(viewOf(pointsOf(chosen), null));
  };
  const show = ({ seconds, percent }: PathView): void => {
    const range = ranges.find(({ value }) => Number(value) >= percent)?.value ?? String(Math.ceil(percent));
    setCanvas({ length: spanText(Math.round(seconds) * 1000), range });
  };
  const draw = (drawn: readonly PathPoint[]): void => {
    if (!isDrawn) setCanvas({ length: spanText(Math.round(view.seconds) * 1000), range: String(view.percent) });
    setEntries((now) => ({ ...blank, chance: now.chance, places: placesText(drawn) }));
  };
  const start = async (): Promise<void> => {
    if (path === null) return control.refuse(faults);
    const chance = volatilityPpm === undefined ? {} : { volatilityPpm };
    const usd = worthOf(market, asset);
    const answer = await control.run('followPath', { assets, path, ...chance }, 'The path has begun.');
    if (answer === null) return;
    if (asset !== undefined && usd !== null)
      setRun({ asset, usd, startedAt: market.now, endsAt: answer.endsAt, live: [{ seconds: 0, percent: 0 }] });
    onChange();
  };

  return (
    <Part title="Lead prices">
      <div class="control-choices">
        {presets.map(({ title, entries: preset }) => (
          <Button key={title} isSmall onClick={() => choose(preset)}>
            {title}
          </Button>
        ))}
        <Button isSmall kind="quiet" onClick={() => setEntries(blank)}>
          Clear
        </Button>
      </div>
      <div class="office-beside">
        <div class="office-aside">
          <PathChart
            label={`Path of ${assets.join(', ')}; its numbers stand in the form.`}
            {...{ points, isDrawn, reach, view }}
            usd={isRunHere ? run.usd : worthOf(market, asset)}
            live={isRunHere ? run.live : []}
            onDraw={draw}
          />
          <p class="soft path-hint">
            {points.length < 2 ? 'Draw the way of the price with the pointer, or choose a path above. ' : null}
            Traders follow with real orders: no more than a fifth in a second, and 10 % from the last price.
          </p>
          <Led {...{ market, control, onChange }} />
        </div>
        <form
          class="office-form"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <CheckList
            title="Coins"
            names={market.values.map((value) => value.asset)}
            chosen={assets}
            onChoose={setAssets}
            fault={control.faults['assets']}
          />
          {isDrawn ? <CanvasFields canvas={canvas} onChange={setCanvas} /> : null}
          <PathFields entries={entries} faults={control.faults} onEnter={enter} />
          <Refused text={control.faults[''] ?? null} />
          <Button kind="primary" type="submit" disabled={control.isBusy || assets.length === 0 || !market.isActing}>
            Start
          </Button>
        </form>
      </div>
    </Part>
  );
}
