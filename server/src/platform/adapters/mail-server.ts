/** A rendered email. */
export interface Mail {
  /** Unique ID that stays the same across attempts, so receivers can detect duplicates. */
  id: string;
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Time of sending, in milliseconds since the epoch. */
  sentAt: number;
}

/**
 * Why the server did not accept an email. `refused` is a permanent failure of this email or address, `later` is a
 * temporary failure of this email, and `outage` is a failure of the server. `words` is the server's message,
 * truncated.
 */
export interface MailFailure {
  kind: 'refused' | 'later' | 'outage';
  words: string;
}

/** A connection to an email server. */
export interface MailServer {
  /** Sends an email. Returns undefined if the server accepted it. */
  send(mail: Mail): Promise<MailFailure | undefined>;
  /** Aborts pending deliveries and makes them fail. */
  close(): void;
}

const WORDS_MAX_LENGTH = 300;
const SECOND = 1_000;

/** Connects to an SMTP server (RFC 5321). @param smtpUrl e.g. `smtps://user:password@mail.example:465` */
export async function connectMailServer(smtpUrl: string): Promise<MailServer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    // The outbox retries failed emails, so the library must not.
    maxRequeues: 0,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, from, to, subject, text, html, sentAt }) {
      const messageId = `<${id}@${from.address.slice(from.address.indexOf('@') + 1)}>`;
      // Tells receivers not to send automatic replies (RFC 3834 §5).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const date = new Date(sentAt);
      try {
        await transport.sendMail({ messageId, from, to, subject, text, html, date, headers });
        return undefined;
      } catch (reason) {
        return failureOf(reason);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/**
 * Classifies an error by its reply code (RFC 5321 §4.2.1): 5yz is permanent and 4yz is temporary. An error without a
 * reply code is an outage.
 */
function failureOf(reason: unknown): MailFailure {
  const { code, responseCode, words } = detailsOf(reason);
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail || responseCode < 400) return { kind: 'outage', words };
  return { kind: responseCode >= 500 ? 'refused' : 'later', words };
}

function detailsOf(reason: unknown): { code: string; responseCode: number; words: string } {
  const { code, responseCode, response }: { code?: unknown; responseCode?: unknown; response?: unknown } =
    Object(reason);
  // The library adds its own text to the server's reply in the message.
  const words = typeof response === 'string' ? response : reason instanceof Error ? reason.message : String(reason);
  return {
    code: String(code),
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
    words: words.slice(0, WORDS_MAX_LENGTH),
  };
}
