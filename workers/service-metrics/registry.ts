import { Registry } from 'prom-client'

/** The metrics of the whole service. One process at a time reports them. */
export const serviceMetricsRegistry = new Registry()
