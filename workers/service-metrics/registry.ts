import { Registry } from 'prom-client'

/** Of what is figured out for the whole service, and told by one process of it. */
export const serviceMetricsRegistry = new Registry()
