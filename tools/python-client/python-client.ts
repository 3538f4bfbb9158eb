import { operatorApi, publicApi } from './python-calls.ts';
import { pushes } from './python-pushes.ts';

const folder = 'clients/python/src/bourse/generated';

/** The files of the Python package that follow from the catalogues and channels. DEC-KIT-90. */
export const pythonDocuments = (): readonly { readonly document: string; readonly content: string }[] => [
  { document: `${folder}/public_api.py`, content: publicApi() },
  { document: `${folder}/operator_api.py`, content: operatorApi() },
  { document: `${folder}/pushes.py`, content: pushes() },
];
