import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Payload of a delivery. */
export interface Event {
  type: string;
  timestamp: string;
  data: { orgCode: string; suid: string | null };
}

export interface Settings {
  /** Secret of the webhook, `whsec_…`. Read on each request, because it is only available after the webhook has been created. */
  secret: () => string;
  /** Handles an event. If it throws, the portal retries the delivery later. */
  onEvent: (event: Event) => void;
}

/** Creates a server that accepts signed events, each only once. */
export function createReceiver({ secret, onEvent }: Settings): Server {
  /** IDs of handled deliveries. Store them in your database, together with the event's effect. */
  const handled = new Set<string>();
  return createServer(async (request, response) => {
    const body = await bodyOf(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    let event: Event;
    try {
      // Verifies the signature and that the delivery is at most five minutes old.
      event = new Webhook(secret()).verify(body, headers) as Event;
    } catch {
      response.writeHead(401).end();
      return;
    }
    const id = headers['webhook-id'] ?? '';
    try {
      if (!handled.has(id)) onEvent(event);
      handled.add(id);
      response.writeHead(204).end();
    } catch {
      response.writeHead(500).end();
    }
  });
}

/** Returns the raw body, because the signature covers every byte. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
