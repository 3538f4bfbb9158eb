/** What an operator's token may allow. DEC-OPR-03. */
export const operatorScopes = [
  'assets:read',
  'assets:write',
  'deposits:read',
  'deposits:review',
  'withdrawals:read',
  'withdrawals:review',
  'proposals:review',
  'accounts:read',
  'accounts:write',
  'keys:write',
  'rebates:read',
  'rebates:write',
  'contracts:read',
  'contracts:write',
  'ledger:read',
  'liabilities:write',
  'chain:control',
  'market:control',
  'tokens:write',
] as const;
export type OperatorScope = (typeof operatorScopes)[number];
