import stripJsonComments from 'strip-json-comments';

/**
 * The value of a JSON text that may have comments (`//` and between `/*` and its end) and commas behind last members:
 * files that people write and read.
 * @throws SyntaxError whose position is that in the text.
 */
export const parseCommentedJson = (text: string): unknown =>
  JSON.parse(stripJsonComments(text, { whitespace: true, trailingCommas: true }));
