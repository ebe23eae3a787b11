import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { activationCode, appType, denyReason, email, orgCode, setupForm, text } from '@orchestrate/shared';
import { readScanned, type Scanned } from '@orchestrate/shared/authenticator';
import { z } from 'zod';
import { UsageError } from './terminal.ts';

const options = {
  org: { type: 'string' },
  email: { type: 'string' },
  code: { type: 'string' },
  first: { type: 'string' },
  last: { type: 'string' },
  called: { type: 'string' },
  color: { type: 'string' },
  aid: { type: 'string' },
  name: { type: 'string' },
  type: { type: 'string' },
  as: { type: 'string' },
  account: { type: 'string' },
  number: { type: 'string' },
  reason: { type: 'string' },
  auto: { type: 'string' },
  after: { type: 'string' },
  pending: { type: 'boolean' },
  once: { type: 'boolean' },
  url: { type: 'string' },
  file: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that select a device stored here or a seeded user's device. */
const actor = z.object({
  as: email.optional(),
  account: text(254).optional(),
  org: orgCode.optional(),
  type: appType.optional(),
});
const device = z.object({
  name: text(60).default(hostname().slice(0, 60) || 'Command line'),
  type: appType.default('mobile'),
});
const number = z
  .string()
  .regex(/^\d{2}$/, 'must have two digits')
  .optional();
const MS_IN = { ms: 1, s: 1_000, m: 60_000 } as const;
const AFTER_MS_MAX = 60 * 60_000;
/** A duration such as `250ms`, `2s` or `1m`, parsed to milliseconds. */
const milliseconds = z
  .string()
  .regex(/^\d{1,9}(ms|s|m)$/, 'must be a time like 250ms, 2s or 1m')
  .transform((written) => {
    const [, count, unit] = /^(\d+)(\w+)$/.exec(written) ?? [];
    return Number(count) * MS_IN[unit as keyof typeof MS_IN];
  })
  .refine((ms) => ms <= AFTER_MS_MAX, 'must be one hour or less');
const answer = { target: z.string().optional(), pending: z.boolean().default(false), number };

const setup = {
  org: setupForm.shape.orgCode,
  code: setupForm.shape.code,
  email,
  first: setupForm.shape.firstName,
  last: setupForm.shape.lastName,
  called: setupForm.shape.orgName,
  color: setupForm.shape.color,
};

const commands = {
  setup: device.omit({ type: true }).extend(setup),
  activate: device.extend({ org: orgCode, email, code: activationCode }),
  pair: device.extend({ target: z.string().optional(), org: orgCode.optional(), aid: text(64).optional() }),
  list: actor,
  approve: actor.extend(answer),
  deny: actor.extend({ ...answer, reason: denyReason.default('cancel') }),
  watch: actor
    .extend({
      auto: z.enum(['approve', 'deny']).optional(),
      after: milliseconds.optional(),
      reason: denyReason.optional(),
      number,
      once: z.boolean().default(false),
    })
    .superRefine(({ auto, after, reason }, context) => {
      const refuse = (option: string, message: string) => context.addIssue({ code: 'custom', path: [option], message });
      if (after !== undefined && !auto) refuse('after', 'requires --auto');
      if (reason !== undefined && auto !== 'deny') refuse('reason', 'requires --auto deny');
    }),
};

type Commands = { [Name in keyof typeof commands]: { command: Name } & z.output<(typeof commands)[Name]> };
/** A command with its validated options. */
export type Command = Commands[keyof Commands];
export type CommandOf<Name extends keyof Commands> = Commands[Name];
export type Actor = z.output<typeof actor>;

/** Options common to all commands. `url` (an origin) and `file` are undefined if they come from the environment. */
export interface CommonOptions {
  url: string | undefined;
  file: string | undefined;
  isJson: boolean;
}

const COMMON_OPTIONS = ['url', 'file', 'json', 'help'];

const isCommand = (name: string | undefined): name is keyof typeof commands => name !== undefined && name in commands;

/**
 * Parses the arguments after the program name. Returns null if the user asked for the usage page.
 * @throws UsageError listing every invalid argument
 */
export function readCommand(args: string[]): { command: Command; common: CommonOptions } | null {
  const { values, positionals } = parsed(args);
  const [name, target, ...more] = positionals;
  if (values.help || name === undefined || name === 'help') return null;
  if (!isCommand(name)) throw new UsageError(`Unknown command "${name}".`);
  const { shape } = commands[name];
  const [tooMany] = 'target' in shape ? more : positionals.slice(1);
  if (tooMany !== undefined) throw new UsageError(`Unexpected argument "${tooMany}".`);
  const others = Object.keys(values).filter((option) => !(option in shape || COMMON_OPTIONS.includes(option)));
  if (others.length > 0) throw new UsageError(`${name} does not support --${others.join(' or --')}.`);

  const given = commands[name].safeParse({ ...values, target });
  if (!given.success) throw new UsageError(describeIssues(name, given.error.issues, values));
  const { url, file, json = false } = values;
  const command = { command: name, ...given.data } as Command;
  const origin = url === undefined ? undefined : originOf(url, '--url');
  return { command, common: { url: origin, file, isJson: json } };
}

/** Returns the origin of a portal URL. @param from option or variable that the URL was read from @throws UsageError */
export function originOf(address: string, from: '--url' | 'PUBLIC_URL'): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${from} must be an http or https address, not ${address}.`);
  }
  return url.origin;
}

/** Describes all errors, starting with missing options. */
function describeIssues(name: string, issues: readonly z.core.$ZodIssue[], values: object): string {
  const all = issues.map(({ path, message }) => ({ option: String(path[0]), message }));
  const missing = all.filter(({ option }) => !(option in values)).map(({ option }) => `--${option}`);
  return [
    ...(missing.length > 0 ? [`${name} requires ${new Intl.ListFormat('en-GB').format(missing)}.`] : []),
    ...all.filter(({ option }) => option in values).map(({ option, message }) => `--${option}: ${message}.`),
  ].join(' ');
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason);
    const [, unknown] = /^Unknown option '(\S+)'/.exec(message) ?? [];
    throw new UsageError(unknown ? `Unknown option ${unknown}.` : message);
  }
}

/** Parses the CODE or QR-ADDRESS argument. @throws UsageError */
export function readTarget(target: string): Scanned {
  const scanned = readScanned(target);
  if (!scanned) throw new UsageError(`"${target}" is neither an eight-character code nor the address of a QR code.`);
  return scanned;
}
