import pino, { type Logger } from 'pino';
import type { Config } from '#config.ts';

const STDERR = 2;

/**
 * Creates the server log. It goes to stderr, because stdout is reserved for the start table or JSON. Entries are JSON
 * lines, or short coloured lines on a terminal. Never log a token, code, key or body.
 */
export async function createLog({ logLevel: level }: Config): Promise<Logger> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination(STDERR));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: STDERR, sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}
