/** Kinds of metrics, in the words of Prometheus. */
export type MetricKind = 'gauge' | 'counter' | 'histogram';

/** A metric as it is declared. Its name stands beside it, and its section says what its labels are. */
export interface MetricDeclaration<Label extends string = string, Kind extends MetricKind = MetricKind> {
  readonly kind: Kind;
  /** Sentences. */
  readonly help: string;
  readonly labels: readonly Label[];
}

/** How values are spread: each is counted in the first bucket whose bound it does not exceed, if there is one. */
export interface Distribution {
  /** Ascending. */
  readonly bounds: readonly number[];
  /** By bound. */
  readonly counts: readonly number[];
  /** Of all values. */
  readonly count: number;
  readonly sum: number;
}

/** Metrics by name. */
export type MetricSet = Readonly<Record<string, MetricDeclaration>>;

/** Values of labels. */
export type Labels<Label extends string = string> = Readonly<Record<Label, string>>;
/** A value, for each combination of labels that has one. Rows with the same labels are added up. */
type Rows<Label extends string, Value> = readonly (readonly [labels: Labels<Label>, value: Value])[];

type ValueOf<Kind extends MetricKind> = Kind extends 'histogram' ? Distribution : number;

/** What a metric is now: a value, or with labels rows of them. `null`: nothing is known. */
type Reading<Metric extends MetricDeclaration> =
  Metric extends MetricDeclaration<infer Label, infer Kind>
    ? [Label] extends [never]
      ? ValueOf<Kind> | null
      : Rows<Label, ValueOf<Kind>>
    : never;

/** Readings of the metrics of a set, by name. */
type Readings<Set extends MetricSet> = { readonly [Name in keyof Set]: Reading<Set[Name]> };

/** A reading of any metric. */
export type AnyReading = number | Distribution | Rows<string, number | Distribution> | null;

/** Metrics about one thing, which are read together. */
export interface MetricSection<Set extends MetricSet = MetricSet> {
  /** A heading. */
  readonly title: string;
  /** What the values of each label are. */
  readonly labels: Readonly<Record<string, string>>;
  readonly metrics: Set;
}

/** A section and how it is read. */
export interface MetricSource {
  readonly section: MetricSection;
  readonly read: () => Promise<Readonly<Record<string, AnyReading>>>;
}

/** Declares a metric by its help, in sentences, and its labels. */
interface Declare<Kind extends MetricKind> {
  (help: string): MetricDeclaration<never, Kind>;
  <Label extends string>(help: string, labels: readonly Label[]): MetricDeclaration<Label, Kind>;
}

function ofKind<const Kind extends MetricKind>(kind: Kind): Declare<Kind> {
  function declare(help: string): MetricDeclaration<never, Kind>;
  function declare<Label extends string>(help: string, labels: readonly Label[]): MetricDeclaration<Label, Kind>;
  function declare(help: string, labels: readonly string[] = []): MetricDeclaration<string, Kind> {
    return { kind, help, labels };
  }
  return declare;
}

/** A value that rises and falls. */
export const gauge = ofKind('gauge');
/** A sum since the process started, or since the journal began: it only rises. */
export const counter = ofKind('counter');
/** How values are spread since the process started. */
export const histogram = ofKind('histogram');

/** Declares metrics about one thing. Names say the unit: seconds, bytes, coins; counters end in `_total`. */
export const declareMetrics = <const Set extends MetricSet>(
  title: string,
  labels: Readonly<Record<string, string>>,
  metrics: Set,
): MetricSection<Set> => ({ title, labels, metrics });

/** A source of declared metrics: `read` answers every metric of the section. */
export const sourceOf = <Set extends MetricSet>(
  section: MetricSection<Set>,
  read: () => Readings<Set> | Promise<Readings<Set>>,
): MetricSource => ({ section, read: async () => (await read()) as Readonly<Record<string, AnyReading>> });
