/** A field of a message of the push schema. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** A scalar type or the name of a message. */
  readonly type: string;
  readonly rule: 'plain' | 'optional' | 'repeated' | 'oneof';
  /** From the comment above it; empty without one. */
  readonly description: string;
}

/** A message of the push schema. */
export interface ProtoMessage {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly ProtoField[];
}

const messagePattern = /^message (\w+) \{$/;
const fieldPattern = /^(optional |repeated )?(\w+) (\w+) = (\d+);$/;
const commentPattern = /^\/\/ ?(.*)$/;

/**
 * Reads our own `.proto`: one statement a line, comments above what they explain, `oneof` the only block in a message.
 */
export function readProto(text: string): ProtoMessage[] {
  const messages: { name: string; description: string; fields: ProtoField[] }[] = [];
  let comments: string[] = [];
  let isInOneof = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const comment = commentPattern.exec(line);
    if (comment !== null) {
      comments.push(comment[1] as string);
      continue;
    }
    const description = comments.join(' ');
    comments = [];
    const message = messagePattern.exec(line);
    const field = fieldPattern.exec(line);
    if (message !== null) {
      messages.push({ name: message[1] as string, description, fields: [] });
    } else if (field !== null) {
      const [, rule = isInOneof ? 'oneof' : 'plain', type, name, number] = field;
      messages.at(-1)?.fields.push({
        name: name as string,
        number: Number(number),
        type: type as string,
        rule: rule.trim() as ProtoField['rule'],
        description,
      });
    } else if (line.startsWith('oneof ')) isInOneof = true;
    else if (line === '}') isInOneof = false;
  }
  return messages;
}
