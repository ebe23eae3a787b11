/** The contract's endpoints by area, e.g. `contract.devices.add`, and all of its exports by their older names. */
export * as activation from './areas/activation.ts';
export * as activity from './areas/activity.ts';
export * as applications from './areas/applications.ts';
export * as authenticator from './areas/authenticator.ts';
export * as devices from './areas/devices.ts';
export * as faq from './areas/faq.ts';
export * as lab from './areas/lab.ts';
export * as people from './areas/people.ts';
export * as roles from './areas/roles.ts';
export * as service from './areas/service.ts';
export * as session from './areas/session.ts';
export * as settings from './areas/settings.ts';
export * as webhooks from './areas/webhooks.ts';
export * from './index.ts';
