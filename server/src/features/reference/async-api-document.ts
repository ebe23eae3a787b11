import * as shared from '@orchestrate/shared';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type ChannelDefinition,
  LIVE_PROTOCOL,
  webhookEvent,
  webhookHeaders,
  webhookTestEvent,
} from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { extendObject, type Json } from '#platform/contract-comments.ts';
import { VERSION } from '#platform/version.ts';
import { sampleEvent } from '#protocols/webhook-delivery/sample-event.ts';
import { describeChannelAccess } from './describe-access.ts';
import { hoistDefinitions } from './hoist-definitions.ts';
import { jsonSchemaOf, pascalCase } from './json-schema-of.ts';

/** Generates the AsyncAPI 3.0.0 document from the portal's perspective, so the portal's messages are `send`. */
export function asyncApiDocument({ channels }: Pick<Deps['registered'], 'channels'>, publicUrl: string): object {
  const { host, protocol } = new URL(publicUrl);
  return hoistDefinitions({
    asyncapi: '3.0.0',
    info: { title: 'Orchestrate live channels', version: VERSION, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      portal: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', description: 'This portal.' },
    },
    channels: {
      ...Object.fromEntries(channels.map((channel) => [channelName(channel), channelOf(channel)])),
      webhook: webhookChannel(),
    },
    operations: { ...Object.fromEntries(channels.flatMap(operationsOf)), sendWebhook: WEBHOOK_OPERATION },
    components: { securitySchemes: SECURITY_SCHEMES, schemas: {} },
  });
}

const DESCRIPTION = `Each channel is a WebSocket. Offer the subprotocol \`${LIVE_PROTOCOL}\`. If a token is required, also offer \`bearer.<token>\`, percent-encoding
characters that aren't allowed in a subprotocol.

**Every message from the portal carries the complete current state.** The first message arrives on connecting, the next ones whenever something changes, so
you don't need to replay anything after a lost connection. The portal sends a ping every 25 seconds.

**Refusals.** Before the upgrade, a refusal is an HTTP response with \`resultCode\` and \`resultName\`, as for any endpoint. After the upgrade, a message that doesn't match its
schema closes the socket with 1008. When the portal shuts down, it closes sockets with 1001.`;

/** Time of the samples, in milliseconds since the epoch. */
const SAMPLE_TIME = Date.parse('2026-03-02T09:30:00Z');

/** Returns the requests that the portal sends to webhooks, one message per event type. */
function webhookChannel(): Json {
  const { object } = webhookEvent.shape.data.shape;
  const eventOf = (type: AuditAction): [string, Json] => {
    const sample = sampleEvent(type, { orgCode: 'acme', at: SAMPLE_TIME });
    const data = extendObject(webhookEvent.shape.data, {
      object: extendObject(object, { type: z.literal(sample.data.object.type) }),
    });
    const payload = extendObject(webhookEvent, { type: z.literal(type), data });
    return [type, messageOf(type, payload, sample)];
  };
  const test = { type: 'webhook.test', timestamp: '2026-03-02T09:30:00.000Z' };
  const data = { orgCode: 'acme', webhookId: 'sample' };
  return {
    address: null,
    title: 'Webhooks',
    summary: "Events of an organisation, sent to the organisation's webhooks",
    description: WEBHOOK_DESCRIPTION,
    messages: {
      ...Object.fromEntries(AUDIT_ACTIONS.map(eventOf)),
      'webhook.test': messageOf('webhook.test', webhookTestEvent, { ...test, data }),
    },
  };
}

function messageOf(type: string, payload: z.ZodType, sample: Json): Json {
  const title = pascalCase(`webhook-${type.replaceAll('.', '-')}`);
  return {
    name: type,
    title: `Event \`${type}\``,
    headers: jsonSchemaOf(webhookHeaders, 'output'),
    payload: { title, ...jsonSchemaOf(payload, 'output') },
    examples: [{ name: type, payload: sample }],
  };
}

const WEBHOOK_DESCRIPTION = `Each delivery is a POST to the URL of the webhook, signed according to Standard Webhooks 1.0.0. Respond with 2xx within 15 seconds. Any other response, including a
redirect, is a failure: the portal retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each up to 10 % later, with the same \`webhook-id\`. 429 and 503 can
request a longer delay with \`Retry-After\`. The portal disables a webhook that responds with 410 or has not accepted a delivery for three days.`;

const WEBHOOK_OPERATION: Json = {
  action: 'send',
  channel: { $ref: '#/channels/webhook' },
  summary: 'Deliver an event to a webhook',
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
};

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `The access token, sent as \`${LIVE_PROTOCOL}, bearer.<token>\`.`,
  },
  labToken: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `\`LAB_TOKEN\`, sent the same way. Not needed if the portal is local and the client is on the same machine.`,
  },
};

function channelOf(channel: ChannelDefinition): Json {
  const { path, summary, access, query } = channel;
  const messages = [...messagesOf(channel, 'server'), ...messagesOf(channel, 'client')];
  return {
    address: path,
    title: path,
    summary,
    description: `**Who:** ${describeChannelAccess(access)}`,
    servers: [{ $ref: '#/servers/portal' }],
    messages: Object.fromEntries(messages.map(({ name, message }) => [name, message])),
    bindings: {
      ws: {
        method: 'GET',
        query: jsonSchemaOf(query, 'input'),
        headers: {
          type: 'object',
          properties: { 'Sec-WebSocket-Protocol': { type: 'string', description: SUBPROTOCOL[access] } },
          required: ['Sec-WebSocket-Protocol'],
        },
        bindingVersion: '0.1.0',
      },
    },
  };
}

const SUBPROTOCOL: Record<ChannelDefinition['access'], string> = {
  public: LIVE_PROTOCOL,
  device: LIVE_PROTOCOL,
  'signed-in': `${LIVE_PROTOCOL}, bearer.<access token>`,
  lab: `${LIVE_PROTOCOL}, bearer.<lab token> (the lab token only if required)`,
};

function operationsOf(channel: ChannelDefinition): [string, Json][] {
  const name = channelName(channel);
  const of = (action: 'send' | 'receive', side: 'server' | 'client'): [string, Json] => [
    `${action}${pascalCase(name)}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      summary: side === 'server' ? channel.summary : 'Messages from the client',
      messages: messagesOf(channel, side).map((message) => ({ $ref: `#/channels/${name}/messages/${message.name}` })),
      ...securityOf(channel),
    },
  ];
  return [of('send', 'server'), ...(channel.client ? [of('receive', 'client')] : [])];
}

const securityOf = ({ access }: ChannelDefinition): { security?: Json[] } => {
  const scheme = { 'signed-in': 'accessToken', lab: 'labToken', public: undefined, device: undefined }[access];
  return scheme ? { security: [{ $ref: `#/components/securitySchemes/${scheme}` }] } : {};
};

interface Message {
  name: string;
  message: Json;
}

/** Returns the messages in one direction, one per state if the channel has states. */
function messagesOf(channel: ChannelDefinition, side: 'server' | 'client'): Message[] {
  const schema = channel[side];
  if (!schema) return [];
  const io = side === 'server' ? 'output' : 'input';
  return statesOf(schema).map(({ state, payload }) => {
    const name = [side === 'server' ? 'state' : 'command', ...(state ? [state] : [])].map(pascalCase).join('');
    const title =
      side === 'server' ? `State${state ? ` \`${state}\`` : ''}` : `A command${state ? ` \`${state}\`` : ''}`;
    // Code generators name a message's type after its title.
    const type = `${pascalCase(channelName(channel))}${name}`;
    return { name, message: { name, title, payload: { title: type, ...jsonSchemaOf(payload, io) } } };
  });
}

/** Fields that distinguish a channel's states. */
const PROGRESS = ['state', 'respType'];

function statesOf(schema: z.ZodType): { state?: string; payload: z.ZodType }[] {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap((option) => (option instanceof z.ZodObject ? statesOf(option) : []));
  }
  if (!(schema instanceof z.ZodObject)) return [{ payload: schema }];
  for (const field of PROGRESS) {
    const states: unknown = schema.shape[field];
    if (!(states instanceof z.ZodEnum)) continue;
    return states.options.map((state) => ({
      state: String(state),
      payload: extendObject(schema, { [field]: z.literal(state) }),
    }));
  }
  const { op } = schema.shape;
  return [{ ...(op instanceof z.ZodLiteral && { state: String(op.value) }), payload: schema }];
}

const NAMES = new Map<unknown, string>(Object.entries(shared).map(([name, channel]) => [channel, name]));

/** Returns the name of a channel in `@orchestrate/shared` without its suffix, e.g. `login`. */
const channelName = (channel: ChannelDefinition): string =>
  (NAMES.get(channel) ?? channel.path.slice(1)).replace(/Live$/, '').replaceAll(/\W/g, '-');
