import { Refusal } from '../../refusal.ts';

/** Of an address at which nothing is. */
export const notFound = (): Refusal =>
  new Refusal('ID_DOESNOT_EXIST', { message: 'The requested URL was not found on this server' });
