import program from '../../../package.json' with { type: 'json' };

/** The one version of everything here (decision 167). */
export const VERSION: string = program.version;
