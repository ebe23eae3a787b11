export {
  emailActivationCode as emailCode,
  getActivationCode as getCode,
  openActivationLink as openLink,
  regenerateActivationCode as regenerateCode,
} from '../index.ts';
