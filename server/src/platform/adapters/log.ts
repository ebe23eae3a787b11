import pino, { type Logger, type LoggerOptions } from 'pino';
import type { Config } from '#config.ts';

const STDERR = 2;
/** pino's number for the level `error`. */
const ERROR = 50;
/** Maximum number of buffered characters. */
const BUFFERED = 8_192;
/** Maximum time that an entry is buffered, in milliseconds. */
const BUFFERED_MS = 50;

/**
 * Creates the server log. It goes to stderr, because stdout is reserved for the start table or JSON. Entries are JSON
 * lines, or short coloured lines on a terminal. Never log a token, code, key or body.
 */
export async function createLog({ logLevel: level }: Config): Promise<Logger> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return createBufferedLog(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: STDERR, sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}

/** Writes the entries of a few milliseconds together. Errors are written immediately, and everything at exit. */
function createBufferedLog(options: LoggerOptions): Logger {
  const destination = pino.destination({ dest: STDERR, sync: true });
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (buffered !== '') destination.write(buffered);
    buffered = '';
  }
  process.on('exit', flush);
  const stream = {
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      buffered += line;
      if (this.lastLevel >= ERROR || buffered.length > BUFFERED) flush();
      else timer ??= setTimeout(flush, BUFFERED_MS).unref();
    },
  };
  return pino(options, stream);
}
