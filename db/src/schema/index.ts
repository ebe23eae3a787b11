export * from './challenges.ts';
export * from './devices.ts';
export * from './members.ts';
export * from './organisations.ts';
export * from './sessions.ts';
