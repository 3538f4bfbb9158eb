/** What the server says of itself in the document. */
export interface ExchangeFacts {
  readonly name: string;
  readonly version: string;
  readonly profile: 'sandbox' | 'production';
  /** Header that carries the access key. */
  readonly keyHeader: string;
  /** Base URL of the futures side; empty: this server. */
  readonly futuresUrl: string;
  /** Whether pages of this machine may have the keys of demo accounts. */
  readonly hasDemoKeys: boolean;
  /** Base URL of the operator API in a sandbox. */
  readonly operatorUrl: string | null;
}

const unknown: ExchangeFacts = {
  name: 'bourse',
  version: '',
  profile: 'production',
  keyHeader: 'X-SVC-APIKEY',
  futuresUrl: '',
  hasDemoKeys: false,
  operatorUrl: null,
};

function read(): ExchangeFacts {
  // Where there is no page, as in a worker, nothing is known.
  if (typeof document === 'undefined') return unknown;
  const text = document.querySelector<HTMLMetaElement>('meta[name=exchange]')?.content;
  return text === undefined ? unknown : { ...unknown, ...(JSON.parse(text) as Partial<ExchangeFacts>) };
}

/** What this page knows of the exchange before it asks. */
export const exchange: ExchangeFacts = read();
