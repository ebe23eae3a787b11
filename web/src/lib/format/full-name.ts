export { fullNameOf } from '@orchestrate/shared';
