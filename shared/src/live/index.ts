export * from './add-device.ts';
export * from './authenticator.ts';
export * from './login.ts';
export * from './test-device.ts';
