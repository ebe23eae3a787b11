import { z } from 'zod';
import { channel } from '../channel.ts';
import { codeKind } from '../contract/devices/devices.ts';
import { device } from '../contract/models.ts';
import { optionalText, orgCode, secret, text } from '../fields.ts';
import { codeOf } from '../result-codes.ts';

export const testDeviceLive = channel({
  path: '/ws/test-device',
  summary: 'Testing a device with a scanned or typed code',
  access: 'signed-in',
  query: z.object({ qid: secret(text(64)), org: orgCode, epoch: optionalText(20).optional() }),
  server: z.discriminatedUnion('op', [
    z.object({
      op: codeKind,
      value: secret(z.string()).optional(),
      /** Seconds until the code expires. */
      idTimeout: z.number().int().optional(),
      /** Result code: 0, or 10 once the code has expired. */
      resultCode: z.number().int(),
      timestamp: z.string(),
    }),
    z.object({
      op: z.literal('test'),
      resultCode: z.literal(codeOf('TEST_DEVICE_SUCCESS')),
      value: z.object({ device: device.pick({ name: true, nickName: true, type: true, registeredDate: true }) }),
      timestamp: z.string(),
    }),
  ]),
  client: z.object({
    op: codeKind,
    value: secret(optionalText(64)).optional(),
    org: orgCode,
    source: optionalText(40).optional(),
    action: z.literal('TEST'),
  }),
});
