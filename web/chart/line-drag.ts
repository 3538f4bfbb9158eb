/** A line at a price that can be dragged. */
export interface DragLine {
  readonly price: number;
  /** Shows it at another price. */
  showAt(price: number): void;
  /** It was dropped at a price. */
  drop(price: number): void;
}

/** The chart that lines are dragged in. */
export interface DragChart {
  lines(): readonly DragLine[];
  priceAt(y: number): number | null;
  yOf(price: number): number | null;
  /** Whether the chart itself follows the pointer. */
  follow(isOn: boolean): void;
}

/** So near to a line, in pixels, it is grabbed. */
const grabPixels = 7;

/** Lets the lines of a chart be dragged up and down on its place, until the answered function is called. */
export function letLinesBeDragged(place: HTMLElement, chart: DragChart): () => void {
  let held: DragLine | null = null;
  const heightOf = (event: PointerEvent): number => event.clientY - place.getBoundingClientRect().top;
  const near = (event: PointerEvent): DragLine | undefined =>
    chart.lines().find(({ price }) => {
      const y = chart.yOf(price);
      return y !== null && Math.abs(y - heightOf(event)) <= grabPixels;
    });
  const begin = (event: PointerEvent): void => {
    held = event.button === 0 ? (near(event) ?? null) : null;
    if (held === null) return;
    event.preventDefault();
    event.stopPropagation();
    place.setPointerCapture(event.pointerId);
    chart.follow(false);
  };
  const move = (event: PointerEvent): void => {
    if (held === null) {
      place.classList.toggle('can-grab', near(event) !== undefined);
      return;
    }
    const price = chart.priceAt(heightOf(event));
    if (price !== null) held.showAt(price);
  };
  const end = (event: PointerEvent): void => {
    if (held === null) return;
    const line = held;
    held = null;
    chart.follow(true);
    const price = chart.priceAt(heightOf(event));
    line.showAt(line.price);
    if (event.type === 'pointerup' && price !== null) line.drop(price);
  };
  const listeners = [
    ['pointerdown', begin],
    ['pointermove', move],
    ['pointerup', end],
    ['pointercancel', end],
  ] as const;
  for (const [name, listener] of listeners) place.addEventListener(name, listener, { capture: true });
  return () => {
    for (const [name, listener] of listeners) place.removeEventListener(name, listener, { capture: true });
  };
}
