export {
  createWebhook as create,
  deleteWebhook as delete,
  listWebhookDeliveries as listDeliveries,
  listWebhooks as list,
  readWebhook as get,
  readWebhookSecret as getSecret,
  resendWebhookDelivery as resend,
  rotateWebhookSecret as rotateSecret,
  testWebhook as test,
  updateWebhook as update,
} from '../index.ts';
