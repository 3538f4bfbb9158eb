import { multipleOf, ppmOf } from '#web/office/sandbox/percent-text.ts';
import { type PathPoint, type PathShape, segmentsOf } from '#web/office/sandbox/path-points.ts';
import { spanOf } from '#web/office/sandbox/span-text.ts';

/** Shapes of paths; `segments` is what is drawn. */
export type ShapeKind = PathShape['kind'];

/** A member of a shape and how it is entered. */
export interface ShapeField {
  readonly name: string;
  readonly label: string;
  /** A span is sent in seconds, a percentage in parts per million. */
  readonly unit: 'percent' | 'span';
}

const length: ShapeField = { name: 'seconds', label: 'Takes', unit: 'span' };
const change: ShapeField = { name: 'changePpm', label: 'Change', unit: 'percent' };
const fall: readonly ShapeField[] = [
  { name: 'fallPpm', label: 'Falls by', unit: 'percent' },
  { name: 'fallSeconds', label: 'Falls for', unit: 'span' },
  { name: 'bottomSeconds', label: 'Stays there', unit: 'span' },
  { name: 'recoverySeconds', label: 'Recovers for', unit: 'span' },
  { name: 'recoveredPpm', label: 'Part that comes back', unit: 'percent' },
];

/** Each shape: its name, what it does, and its members. */
export const shapes: Readonly<Record<ShapeKind, { readonly text: string; readonly fields: readonly ShapeField[] }>> = {
  segments: { text: 'Drawn: through the places below', fields: [] },
  trend: { text: 'Trend: evenly to another value', fields: [change, length] },
  drift: {
    text: 'Drift: so much in each hour',
    fields: [{ name: 'changePpmPerHour', label: 'Change in an hour', unit: 'percent' }, length],
  },
  volatility: { text: 'Storm: chance alone, wilder or calmer', fields: [length] },
  jump: { text: 'Jump: at once, and stays there', fields: [change, length] },
  range: {
    text: 'Range: never further from here',
    fields: [{ name: 'widthPpm', label: 'Greatest distance', unit: 'percent' }, length],
  },
  flashCrash: { text: 'Flash crash: down and up again', fields: fall },
  depeg: { text: 'Depeg: the same, of a dollar coin', fields: fall },
};

/** Name of the shape that a path has, for people; of what is none of these it is that of the exchange. */
export const shapeName = (kind: string | null): string =>
  (kind !== null && Object.hasOwn(shapes, kind) ? shapes[kind as ShapeKind].text.split(':')[0] : kind) ?? 'none';

/** What was entered for a path. */
export interface PathEntries {
  readonly kind: ShapeKind;
  readonly members: Readonly<Record<string, string>>;
  /** Places that are drawn, as they are entered. */
  readonly places: readonly { readonly seconds: string; readonly percent: string }[];
  /** How much chance there is beside it, as a multiple of the usual; empty: as the shape has it. */
  readonly chance: string;
}

/** Paths with a name, to begin with. */
export const presets: readonly { readonly title: string; readonly entries: Partial<PathEntries> }[] = [
  { title: 'Crash', entries: { kind: 'trend', members: { changePpm: '-30', seconds: '2 m' } } },
  {
    title: 'Flash crash',
    entries: {
      kind: 'flashCrash',
      members: {
        ...{ fallPpm: '25', fallSeconds: '5 s', bottomSeconds: '10 s', recoverySeconds: '1 m', recoveredPpm: '100' },
      },
    },
  },
  { title: 'Pump', entries: { kind: 'trend', members: { changePpm: '25', seconds: '3 m' } } },
  {
    title: 'Pump and dump',
    entries: {
      kind: 'segments',
      places: [
        { seconds: '60', percent: '15' },
        { seconds: '120', percent: '40' },
        { seconds: '135', percent: '38' },
        { seconds: '180', percent: '-10' },
      ],
    },
  },
  { title: 'Jump', entries: { kind: 'jump', members: { changePpm: '8', seconds: '1 m' } } },
  { title: 'Storm', entries: { kind: 'volatility', members: { seconds: '10 m' }, chance: '10' } },
  { title: 'Trend', entries: { kind: 'trend', members: { changePpm: '5', seconds: '30 m' } } },
  { title: 'Drift', entries: { kind: 'drift', members: { changePpmPerHour: '-2', seconds: '2 h' } } },
  { title: 'Range', entries: { kind: 'range', members: { widthPpm: '0.3', seconds: '10 m' } } },
  {
    title: 'Depeg',
    entries: {
      kind: 'depeg',
      members: {
        ...{ fallPpm: '8', fallSeconds: '30 s', bottomSeconds: '2 m', recoverySeconds: '5 m', recoveredPpm: '90' },
      },
    },
  },
];

/** What a path is as it was entered, and what cannot be read, by the name of the field. */
export interface PathReading {
  /** `null`: something cannot be read. */
  readonly path: PathShape | null;
  readonly volatilityPpm: number | undefined;
  readonly faults: Readonly<Record<string, string>>;
}

const wholeSeconds = (text: string): number => Math.round(spanOf(text) / 1000);

/** Reads what was entered for a path. */
export function readPath({ kind, members, places, chance }: PathEntries): PathReading {
  const faults: Record<string, string> = {};
  const read = <Value>(name: string, value: () => Value): Value | undefined => {
    try {
      return value();
    } catch (error) {
      faults[name] = (error as Error).message;
      return undefined;
    }
  };
  const volatilityPpm = chance.trim() === '' ? undefined : read('volatilityPpm', () => multipleOf(chance));
  const values = shapes[kind].fields.map(({ name, unit }) => {
    const text = members[name] ?? '';
    return [name, read(name, () => (unit === 'span' ? wholeSeconds(text) : ppmOf(text)))];
  });
  const points = kind === 'segments' ? read('places', () => placesOf(places)) : [];
  if (Object.keys(faults).length > 0) return { path: null, volatilityPpm, faults };
  const drawn = kind === 'segments' ? { segments: segmentsOf(points ?? []) } : {};
  return { path: { kind, ...Object.fromEntries(values), ...drawn } as PathShape, volatilityPpm, faults };
}

/** The places as numbers. @throws Error telling which one cannot be read */
function placesOf(places: PathEntries['places']): readonly PathPoint[] {
  if (places.length === 0) throw new Error('Draw a line, or add a place.');
  let before = 0;
  return places.map((place, index) => {
    const [seconds, percent] = [Number(place.seconds), Number(place.percent.replace('−', '-'))];
    const is = `Place ${index + 1}`;
    if (!/^\d{1,5}$/.test(place.seconds.trim())) throw new Error(`${is}: seconds must be a whole number.`);
    if (place.percent.trim() === '' || !Number.isFinite(percent) || percent <= -100)
      throw new Error(`${is}: the change must be a percentage above -100.`);
    if (seconds < before) throw new Error(`${is} must not be before the one above it.`);
    before = seconds;
    return { seconds, percent };
  });
}

/** Places as they are entered. */
export const placesText = (points: readonly PathPoint[]): PathEntries['places'] =>
  points.map(({ seconds, percent }) => ({ seconds: String(seconds), percent: String(percent) }));
