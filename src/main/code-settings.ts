import { setFlagsFromString } from 'node:v8';

/**
 * How much V8 puts into one piece of machine code. Its defaults are made for pages of the web; an order passes some
 * eighty small functions, and calling them costs more than what they do: with these, a fifth less time an order
 * (docs/decisions/0010). To be imported before all else: code that is compiled already stays as it is.
 */
setFlagsFromString('--max-inlined-bytecode-size-small=200');
setFlagsFromString('--max-inlined-bytecode-size-cumulative=4500');
