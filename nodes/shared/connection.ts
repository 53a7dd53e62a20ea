import { NodeConnectionTypes } from 'n8n-workflow';

/**
 * The connection on which items travel. The list of the connections' names is missing up to n8n
 * 1.82, and to read from it there would keep every node of the package from loading.
 */
export const MAIN = NodeConnectionTypes?.Main ?? 'main';
