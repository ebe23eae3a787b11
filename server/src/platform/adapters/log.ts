import pino, { type Logger } from 'pino';
import type { Config } from '#config.ts';

const STDERR = 2;

/**
 * Creates the server's log on stderr, because stdout has the start table or JSON. It has JSON lines, or short coloured
 * lines on a terminal. Never log a token, code, key or body.
 */
export async function createLog({ logLevel: level }: Config): Promise<Logger> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination(STDERR));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: STDERR, sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}
