export { health } from '../index.ts';
