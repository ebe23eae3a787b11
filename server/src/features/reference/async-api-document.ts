import * as shared from '@orchestrate/shared';
import { type ChannelDefinition, LIVE_PROTOCOL } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { VERSION } from '#platform/version.ts';
import { describeChannelAccess } from './describe-access.ts';
import { hoistDefinitions } from './hoist-definitions.ts';
import { type Json, jsonSchemaOf, pascalCase } from './json-schema-of.ts';
import { extendObject } from './meanings.ts';

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
    channels: Object.fromEntries(channels.map((channel) => [channelName(channel), channelOf(channel)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: {} },
  });
}

const DESCRIPTION = `Each channel is a WebSocket. Offer the subprotocol \`${LIVE_PROTOCOL}\`. If a token is required, also offer \`bearer.<token>\`, percent-encoding
characters that aren't allowed in a subprotocol.

**Every message from the portal carries the complete current state.** The first message arrives on connecting, the next ones whenever something changes, so
you don't need to replay anything after a lost connection. The portal sends a ping every 25 seconds.

**Refusals.** Before the upgrade, a refusal is an HTTP response with \`resultCode\` and \`resultName\`, as for any endpoint. After the upgrade, a message that doesn't match its
schema closes the socket with 1008. When the portal shuts down, it closes sockets with 1001.`;

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
