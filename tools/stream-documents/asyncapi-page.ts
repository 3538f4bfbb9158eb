import { escapeHtml as escaped } from '#base/escape-html.ts';
import { exampleAddress } from './example-address.ts';
import type { JsonSchema } from '#http/documents/json-schema.ts';
import { blocks, code, prose, sectionsOf, type TextSection } from './page-text.ts';

/** The parts of an AsyncAPI document that the page shows. */
interface ShownDocument {
  readonly info: { readonly description: string };
  readonly channels: Readonly<Record<string, ShownChannel>>;
  readonly components: {
    readonly messages: Readonly<Record<string, ShownMessage>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
interface ShownChannel {
  readonly address: string;
  readonly title: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly enum?: readonly string[] }>>;
  readonly tags?: readonly { readonly name: string }[];
}
interface ShownMessage {
  readonly name: string;
  readonly summary: string;
  readonly payload: JsonSchema;
  readonly examples?: readonly ShownExample[];
  readonly 'x-protobuf-examples'?: readonly { readonly name: string; readonly bytes: number; readonly hex: string }[];
  readonly 'x-requests'?: readonly { readonly name: string; readonly request: string }[];
}
interface ShownExample {
  readonly name?: string;
  readonly summary?: string;
  readonly payload: unknown;
}
type Properties = Readonly<Record<string, JsonSchema>>;

const typeText = (schema: JsonSchema): string => {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  if (schema['type'] === 'array') return `${typeText(schema['items'] as JsonSchema)}[]`;
  return String(schema['format'] ?? schema['type']);
};

function fieldRows(schema: JsonSchema): string {
  return Object.entries((schema['properties'] ?? {}) as Properties)
    .map(([name, field]) => {
      const number = field['x-protobuf-number'];
      const allowed =
        field['enum'] === undefined ? '' : (field['enum'] as readonly unknown[]).map(String).map(code).join(' ');
      const cells = [number === undefined ? '' : String(number), code(name), escaped(typeText(field))];
      const meaning = `${prose(String(field['description'] ?? ''))} ${allowed}`;
      return `<tr>${[...cells, meaning].map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    })
    .join('');
}

const fieldTable = (schema: JsonSchema): string =>
  '<table><thead><tr><th>No.</th><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>' +
  `<tbody>${fieldRows(schema)}</tbody></table>`;

/** The body that a channel's wrapper carries, and the messages inside it. */
function bodyTables(message: ShownMessage, schemas: Readonly<Record<string, JsonSchema>>): string {
  const field = ((message.payload['properties'] ?? {}) as Properties)[message.name];
  const names = field === undefined ? [] : [typeText(field)];
  for (const name of names) {
    for (const inner of Object.values((schemas[name]?.['properties'] ?? {}) as Properties)) {
      const type = typeText(inner).replace('[]', '');
      if (schemas[type] !== undefined && !names.includes(type)) names.push(type);
    }
  }
  return names.map((name) => `<h4>${escaped(name)}</h4>${fieldTable(schemas[name] as JsonSchema)}`).join('');
}

const pre = (text: string): string => `<pre>${escaped(text)}</pre>`;

/** One push in both encodings. JSON is sent without blanks, so printing the payload gives the text that is sent. */
function pushExample({ name, summary, payload }: ShownExample, message: ShownMessage): string {
  const json = JSON.stringify(payload);
  const protobuf = message['x-protobuf-examples']?.find((example) => example.name === name);
  return `<div class="example"><p>${prose(summary ?? '')}</p><h5>JSON, ${json.length} bytes</h5>${pre(json)}
<h5>protobuf, ${protobuf?.bytes} bytes, in hex</h5>${pre(protobuf?.hex ?? '')}</div>`;
}

function pushExamples(message: ShownMessage): string {
  const [first, ...more] = (message.examples ?? []).map((example) => pushExample(example, message));
  const title = more.length === 1 ? '1 more example' : `${more.length} more examples`;
  const rest = more.length === 0 ? '' : `<details><summary>${title}</summary>${more.join('\n')}</details>`;
  return `<h4>Example</h4>${first ?? ''}${rest}`;
}

function channelSection(id: string, channel: ShownChannel, { components }: ShownDocument): string {
  const audience = channel.tags?.[0]?.name ?? '';
  const parameters = Object.entries(channel.parameters ?? {})
    .map(
      ([name, { description, enum: values }]) =>
        `<dt>${code(name)}</dt><dd>${prose(description)} ${(values ?? []).map(code).join(' ')}</dd>`,
    )
    .join('');
  return `<section id="${escaped(id)}"><h3>${escaped(channel.title)} <span class="tag">${escaped(audience)}</span></h3>
<p class="address">${code(channel.address)}</p><p>${prose(channel.summary)} ${prose(channel.description ?? '')}</p>
${parameters === '' ? '' : `<dl>${parameters}</dl>`}
${pushExamples(components.messages[id] as ShownMessage)}
<details><summary>Fields of <code>${escaped(components.messages[id]?.name ?? '')}</code></summary>
${bodyTables(components.messages[id] as ShownMessage, components.schemas)}</details>
</section>`;
}

/** What was sent, if it is known, and the message. */
function messageExample({ name, summary, payload }: ShownExample, message: ShownMessage): string {
  const request = message['x-requests']?.find((example) => example.name === name)?.request;
  const sent = pre(JSON.stringify(payload));
  if (request === undefined) return sent;
  const dialogue = `<h5>request</h5>${pre(request)}<h5>reply</h5>${sent}`;
  return `<div class="example"><p>${prose(summary ?? '')}</p>${dialogue}</div>`;
}

const messageSection = ([id, message]: readonly [string, ShownMessage]): string => `<section id="${escaped(id)}">
<h3>${escaped(id)}</h3><p>${prose(message.summary)}</p>${fieldTable(message.payload)}
${(message.examples ?? []).map((example) => messageExample(example, message)).join('\n')}</section>`;

/** A section of the description; that of the outer message has its fields. */
function textSection({ id, title, text }: TextSection, wrapper: JsonSchema): string {
  const fields = id === 'the-outer-message' ? fieldTable(wrapper) : '';
  return `<section id="${escaped(id)}"><h2>${escaped(title)}</h2>${blocks(text)}${fields}</section>`;
}

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:#1664c0}
@media (prefers-color-scheme:dark){:root{--link:#7ab7ff}}
body{margin:0;font:15px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:15rem minmax(0,52rem);gap:2.5rem;
padding:0 1.5rem}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 0;font-size:.9rem}
nav a{display:block;padding:.15rem 0;text-decoration:none}a{color:var(--link)}main{padding:1rem 0 4rem}
h1{margin:.5rem 0 0}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}h3{margin:2rem 0 .3rem}
h4{margin:1rem 0 .3rem}h5{margin:.5rem 0 -.6rem;font-weight:400;font-size:.8rem;opacity:.75}
.example{border-left:3px solid var(--line);padding-left:.8rem;margin:.6rem 0}.example p{margin:0}summary{cursor:pointer}
code,pre{font:13px/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em;
overflow-wrap:anywhere}
pre{padding:.7rem;overflow:auto;white-space:pre-wrap}.address code{font-size:14px;font-weight:600}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.92rem}th,td{text-align:left;vertical-align:top;
border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0}td:nth-child(2) code{overflow-wrap:normal}
.tag{font-size:.75rem;font-weight:400;border:1px solid var(--line);border-radius:99px;padding:.1rem .6rem;
vertical-align:middle}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
form{display:flex;gap:.5rem;flex-wrap:wrap}input{flex:1 1 100%;font:13px ui-monospace,monospace;padding:.4rem}
button{padding:.4rem 1rem}
#heard{height:16rem;overflow:auto;margin-top:.5rem}
@media (max-width:55rem){body{display:block}nav{position:static;height:auto}table{display:block;overflow:auto}}`;

/** Runs in the browser: subscribes to a channel and shows what comes, newest first. */
const script = `const form=document.querySelector('form'),heard=document.querySelector('#heard');let socket=null;
form.addEventListener('submit',(event)=>{event.preventDefault();socket?.close();
const {channel,listenKey}=form.elements;const key=listenKey.value.trim();
const address=(location.protocol==='https:'?'wss://':'ws://')+location.host+'/ws?encoding=json'
+(key?'&listenKey='+encodeURIComponent(key):'');
const mine=socket=new WebSocket(address);heard.textContent='';
const show=(text)=>{heard.textContent=(text+'\\n'+heard.textContent).slice(0,20000)};
mine.addEventListener('open',()=>mine.send(JSON.stringify({method:'SUBSCRIPTION',params:[channel.value.trim()],id:1})));
mine.addEventListener('message',({data})=>{if(mine===socket)show(data)});
mine.addEventListener('close',({code,reason})=>{if(mine===socket)show('closed: '+code+' '+reason)});});
document.querySelector('#stop').addEventListener('click',()=>socket?.close());`;

/** A page that shows the document made by `asyncApi`, and lets people listen. Needs nothing but itself. */
export function asyncApiPage(document: object, version: string): string {
  const { info, channels, components } = document as ShownDocument;
  const families = Object.entries(channels).filter(([, { tags }]) => tags !== undefined);
  const messages = Object.entries(components.messages).filter(([id]) => channels[id] === undefined);
  const { intro, sections: texts } = sectionsOf(info.description);
  const wrapper = components.schemas['PushDataV3ApiWrapper'] as JsonSchema;
  const link = ([id]: readonly [string, unknown]): string => `<a href="#${escaped(id)}">${escaped(id)}</a>`;
  const examples = families.map(([, { address }]) => `<option value="${escaped(exampleAddress(address))}">`).join('');
  const sections = families.map(([id, channel]) => channelSection(id, channel, document as ShownDocument)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Streams</title>
<style>${style}</style></head><body>
<nav><strong>Streams</strong><a href="#listen">Listen now</a>
${texts.map(({ id, title }) => `<a href="#${escaped(id)}">${escaped(title)}</a>`).join('')}
<strong>Messages</strong>${messages.map(link).join('')}
<strong>Channels</strong>${families.map(link).join('')}
<strong>Elsewhere</strong><a href="/docs">REST reference</a><a href="/asyncapi.json">asyncapi.json</a>
<a href="/proto/push.proto" download>push.proto</a></nav>
<main><h1>Streams</h1><p>Version ${escaped(version)}, path ${code('/ws')}</p>${blocks(intro)}
<h2 id="listen">Listen now</h2><form>
<input name="channel" aria-label="Channel" value="spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT" list="channels">
<datalist id="channels">${examples}</datalist>
<input name="listenKey" aria-label="Listen key" placeholder="listen key, for private channels"><button>Listen</button>
<button type="button" id="stop">Stop</button></form>
<pre id="heard" aria-live="off"></pre>
${texts.map((text) => textSection(text, wrapper)).join('\n')}
<h2>Messages</h2>${messages.map(messageSection).join('\n')}
<h2>Channels</h2>${sections}</main>
<script>${script}</script></body></html>
`;
}
