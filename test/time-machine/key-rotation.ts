/** The periods of the simulated tenants. */
export const keyRotation = { credentials: { days: 120 }, webhooks: { days: 60 }, tokens: { days: 45 } }
