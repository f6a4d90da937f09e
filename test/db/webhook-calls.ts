type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

const openRequest = { listener_requests: { answer: null } }
const failed = { deliveries: { state: 'failed' } }

/** The queries about webhooks and their deliveries, as `tenants-apart.test.ts` calls them. */
export function webhookCalls({ id, at, before, after }: { id: string; at: Date; before: Date; after: Date }): Calls {
  const leased = { webhooks: { leasedUntil: at } }
  return {
    addAttempts: [[{ id, attempts: [], queuedUntil: at }, [{ id }]], { deliveries: { queuedUntil: at } }],
    announceChanges: [
      [{ UserErased: [{ userId: id, erasureId: id }] }, at],
      { webhooks: { events: ['UserErased'], disabled: false } },
    ],
    deleteWebhook: [[id, at]],
    disableWebhook: [[id, 0]],
    endDeliveriesOf: [[id, at]],
    endSupersededDeliveries: [[{ webhookId: id, generation: 1 }, undefined, 1]],
    endDelivery: [[{ id, generation: 0 }]],
    findDelivery: [[id, id]],
    findEnabledWebhooks: [[]],
    findReceivedKinds: [[]],
    findWebhook: [[id]],
    findWebhookIdsOf: [[]],
    forgetFailures: [[id], { webhooks: { failingSince: at } }],
    isReceived: [['issuance']],
    listDeliveries: [[id, { limit: 10 }]],
    listWebhooks: [[10]],
    pauseWebhook: [[id, at]],
    pauseIfActive: [[id, at, at]],
    restartDelivery: [[id, 1, at], failed],
    restartDeliveries: [[id, { generation: 1, since: before, limit: 10 }, at], failed],
    endPause: [[id], { webhooks: { pausedUntil: at } }],
    answerListenerRequest: [[{ webhookId: id, id }, { status: 200 }], openRequest],
    countListeners: [[], leased],
    deleteListenerRequest: [[id]],
    findListener: [[id], leased],
    findListenerAnswer: [[id], { listener_requests: { answer: { status: 200 } } }],
    updateWebhook: [[id, { url: 'https://changed.example' }, at]],
    advanceFound: [[[id], after], { webhooks: { foundUntil: at } }],
    announceFound: [
      [[{ kind: 'OfferExpired', payload: { credentialOfferId: id }, at }], at],
      { webhooks: { events: ['OfferExpired'], disabled: false } },
    ],
    findEndingCertificates: [
      [{ after: before, until: after, limit: 10 }],
      {
        certificates: { isActive: true, certificate: Buffer.alloc(1), notAfter: at, revokedAt: null, retiredAt: null },
      },
    ],
  }
}
