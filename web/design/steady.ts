import { Component } from 'preact';

/**
 * A part of a page that is made anew only when one of its properties is another one. For lines of which there are many:
 * elements that were remembered by a hook instead would hold on to all that stood beside them. DEC-WEB-81, DEC-WEB-82.
 */
export abstract class Steady<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Readonly<Props>): boolean {
    const names = Object.keys(next) as (keyof Props)[];
    return names.some((name) => next[name] !== this.props[name]);
  }
}
