interface ShownTextProps {
  /** What it is, for those who hear it. */
  readonly label: string;
  readonly text: string;
  /** `lines`: lines stay whole, and scroll sideways. */
  readonly style?: 'lines' | 'copy-text';
}

/** A long text as it is, in a frame of its own. */
export const ShownText = ({ label, text, style }: ShownTextProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is longer than its frame
  <section class={`shown-text ${style ?? ''}`.trim()} tabIndex={0} aria-label={label}>
    <pre>{text}</pre>
  </section>
);
