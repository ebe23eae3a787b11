export {
  activate,
  pair,
  pairStatus,
  pending,
  resolve,
  respond,
} from '../index.ts';
