import type { Channel } from '#websocket/channel.ts';
import { channels } from '#websocket/channels.ts';
import { createPush, type Push } from '#websocket/pushes/push.ts';
import { fieldsByNumber, type Field, type Message } from '#websocket/wire/message.ts';

/*
 * Pushes of every channel with made-up content: nothing but defaults, usual values, and what is hard to write - long
 * text, text beyond ASCII, the greatest numbers, long lists.
 */

export const variants = ['empty', 'usual', 'hard'] as const;
type Variant = (typeof variants)[number];

const hardTexts = [
  '"quoted"\\\n',
  'Größe €',
  '数量 😀',
  'x'.repeat(127),
  'y'.repeat(128),
  'é'.repeat(9000),
  '\u0000\u007f\u0080',
];
const hardNumbers = { int32: [127, 128, 2 ** 31 - 1], int64: [16_384, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER] } as const;

function scalarOf(type: Exclude<Field['type'], Message>, number: number, variant: Variant): unknown {
  if (type === 'bool') return variant !== 'empty';
  if (type === 'string') {
    if (variant === 'empty') return '';
    return variant === 'usual' ? `${number}.0${number}` : hardTexts[number % hardTexts.length];
  }
  if (variant === 'empty') return 0;
  return variant === 'usual' ? number * 1_000_003 : hardNumbers[type][number % 3];
}

function contentOf(message: Message, variant: Variant): object {
  const content: Record<string, unknown> = {};
  for (const { name, number, rule, type } of fieldsByNumber(message)) {
    if (rule === 'optional' && (variant === 'empty' || number % 2 === 1)) continue;
    const value = (): unknown =>
      typeof type === 'string' ? scalarOf(type, number, variant) : contentOf(type, variant);
    const items = { empty: 0, usual: 2, hard: 3 }[variant];
    content[name] = rule === 'repeated' ? Array.from({ length: items }, value) : value();
  }
  return content;
}

/** A push of each channel and variant, with the content of its body. */
export function* samplePushes(): Generator<{ name: string; body: string; head: object; content: object; push: Push }> {
  for (const [id, { stem, body }] of Object.entries(channels) as [string, Channel][]) {
    for (const variant of variants) {
      const symbol = variant === 'usual' ? 'BTCUSDT' : null;
      const head = {
        channel: `spot@${stem}`,
        symbol,
        createTime: 1_767_268_800_035,
        sendTime: variant === 'empty' ? 0 : 1,
      };
      const content = contentOf(body.message, variant);
      yield {
        name: `${id}, ${variant}`,
        body: body.name,
        head,
        content,
        push: createPush(head, body, content as never),
      };
    }
  }
}
