import { wireLimits } from '#http/limits.ts';

/** Weight of a page in a budget of its address, which all pages share; health pages have one of their own. */
export interface PageCost {
  readonly budget: 'pages' | 'health' | 'metrics';
  readonly weight: number;
}

const { pageWeight, documentWeight, metricsWeight, scriptWeight } = wireLimits.pages;

/** What pages cost. DEC-LIM-101. */
export const pageCost: PageCost = { budget: 'pages', weight: pageWeight };
export const documentCost: PageCost = { budget: 'pages', weight: documentWeight };
export const scriptCost: PageCost = { budget: 'pages', weight: scriptWeight };
export const healthCost: PageCost = { budget: 'health', weight: pageWeight };
export const metricsCost: PageCost = { budget: 'metrics', weight: metricsWeight };
