/** The groups of the index, in the order of typical use. The index shows other pages under "More". */
export const guideGroups: readonly { title: string; names: readonly string[] }[] = [
  { title: 'Start', names: ['tour', 'phone', 'choosing-a-profile', 'coming-from-mattr', 'glossary'] },
  {
    title: 'Issue',
    names: [
      ...[
        'offers-that-last',
        'bulk-issuance',
        'table-files',
        'claim-links',
        'sign-in-recipes',
        'interaction-component',
      ],
      ...['credentials', 'sd-jwt-vc', 'messaging', 'ecosystems'],
    ],
  },
  {
    title: 'Use the API',
    names: ['client', 'command-line', 'configuration-files', 'webhooks', 'errors', 'api-compatibility'],
  },
  {
    title: 'Operate',
    names: [
      ...['tenants', 'roles', 'installation', 'deployment', 'operations', 'outages', 'backup-and-audit', 'settings'],
      ...['metrics', 'tracing', 'debugging', 'troubleshooting', 'erasure', 'threat-model'],
    ],
  },
  {
    title: 'Develop',
    names: ['carry-on', 'architecture', 'request-path', 'background-work', 'data-model', 'development', 'release'],
  },
]
