import { type Command, UsageError } from '../command.ts'

/** Returns the command that prints a script, which completes these commands and their options. */
export const completionOf = (commands: readonly Command[]): Command => ({
  name: 'completion',
  usage: 'bash|zsh',
  summary: 'Print a script for the completion of commands and options',
  options: {},
  examples: ['source <(trustwright completion bash)', 'trustwright completion zsh > ~/.zfunc/_trustwright'],
  async run({ positionals: [shell], terminal }) {
    if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('Give a shell: bash or zsh')
    terminal.stdout.write(shell === 'bash' ? bashScript(commands) : zshScript(commands))
  },
})

const common = ['--profile', '--json', '--help']

function casesOf(commands: readonly Command[]): string {
  const cases = commands.map(({ name, options }) => {
    const words = [...Object.keys(options).map((option) => `--${option}`), ...common]
    return `    "${name}"*) choices="${words.join(' ')}" ;;`
  })
  const named = commands.map(({ name }) => name.split(' '))
  const first = [...new Set(named.map(([word]) => word))]
  const groups = new Set(named.filter(({ length }) => length > 1).map(([word]) => word))
  const second = [...groups].map((group) => {
    const words = named.filter(([word]) => word === group).map(([, word]) => word)
    return `    "${group}"*) choices="${words.join(' ')}" ;;`
  })
  return [...cases, ...second, `    *) choices="${[...first, ...common].join(' ')}" ;;`].join('\n')
}

function bashScript(commands: readonly Command[]): string {
  return `_trustwright() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" choices
  case "$typed" in
${casesOf(commands)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trustwright trustwright
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef trustwright
_trustwright() {
  local typed="\${(j: :)words[2,CURRENT-1]}" choices
  local -a found
  case "$typed" in
${casesOf(commands)}
  esac
  found=(\${(s: :)choices})
  compadd -a found
}
compdef _trustwright trustwright
`
}
