import { Refusal } from '../../refusal.ts';

/** The refusal at an address where there is nothing. */
export const notFound = (): Refusal =>
  new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });
