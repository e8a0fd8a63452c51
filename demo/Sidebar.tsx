import { useState, type MouseEvent, type ReactElement } from 'react'
import type { AgentSummary, ChatPhase, SessionSummary } from 'agentscope-react/hooks'
import { Choice } from './Choice.js'
import { Icon } from './Icon.js'
import { journalOf } from './journalOf.js'
import { nameOf } from './useNewSession.js'
import type { Service } from './Service.js'
import { languageNames, transportNames, type Language, type Transport } from './transports.js'
import { goTo, placeHref } from './usePlace.js'
import type { Theme } from './useTheme.js'

/** Props of `Sidebar`. */
export interface SidebarProps {
  /** The service. */
  readonly service: Service
  /** Its agents. */
  readonly agents: readonly AgentSummary[]
  /** The agent one talks to. */
  readonly agentId: string
  /** That agent's sessions. */
  readonly sessions: readonly SessionSummary[]
  /** The session that is shown. */
  readonly sessionId: string | null
  /** What the conversation that is shown is doing. */
  readonly phase: ChatPhase
  /** What its events come by. */
  readonly transport: Transport
  /** The person chose another transport. */
  readonly onTransport: (transport: Transport) => void
  /** What the agent is spoken to in. */
  readonly language: Language
  /** The person chose another language. */
  readonly onLanguage: (language: Language) => void
  /** How the page looks. */
  readonly theme: Theme
  /** The person chose another theme. */
  readonly onTheme: (theme: Theme) => void
  /** The person wants a new conversation. */
  readonly onNew: () => void
  /** The person went to a conversation. */
  readonly onPick: () => void
  /** The person wants to see or change the service. */
  readonly onService: () => void
}

const themeNames: Readonly<Record<Theme, string>> = {
  system: 'Auto',
  light: 'Light',
  dark: 'Dark',
}

const doings: Readonly<Partial<Record<ChatPhase, string>>> = {
  streaming: 'running',
  interrupting: 'running',
  'awaiting-person': 'your turn',
}

/** Agents, conversations, and what concerns the whole page. */
export function Sidebar(props: SidebarProps): ReactElement {
  const { agents, agentId, onNew, onPick } = props
  return (
    <div className="demo-sidebar">
      <label className="demo-field">
        <span>Agent</span>
        <select
          value={agentId}
          onChange={(event) => {
            goTo(placeHref(event.target.value))
            onPick()
          }}
        >
          {agents.some(({ id }) => id === agentId) ? null : (
            <option value={agentId}>{agentId}</option>
          )}
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="demo-button demo-new" onClick={onNew}>
        <Icon name="plus" />
        New conversation
      </button>
      <SessionList {...props} />
      <Footer {...props} />
    </div>
  )
}

function SessionList(props: SidebarProps): ReactElement {
  const { agentId, sessions, sessionId, phase, onPick } = props
  const pick = (event: MouseEvent<HTMLAnchorElement>, href: string): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(href)
    onPick()
  }
  return (
    <nav className="demo-sessions" aria-label="Sessions">
      <ul>
        {sessions.map((session) => {
          const href = placeHref(agentId, session.id)
          // What one sees of a conversation is newer than what the list says about it.
          const doing = session.id === sessionId ? doings[phase] : session.isRunning && 'running'
          return (
            <li key={session.id}>
              <a
                href={href}
                aria-current={session.id === sessionId ? 'page' : undefined}
                onClick={(event) => pick(event, href)}
              >
                <bdi>{nameOf(session)}</bdi>
                {doing ? <span className="demo-doing">{doing}</span> : null}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** For a person who leaves a device that others use too. */
function ForgetButton({ service }: Pick<SidebarProps, 'service'>): ReactElement | null {
  const [isForgotten, setForgotten] = useState(false)
  const journal = journalOf(service)
  if (journal === undefined) return null
  return (
    <button
      type="button"
      className="demo-button demo-service"
      disabled={isForgotten}
      onClick={() => void journal.clear().then(() => setForgotten(true))}
    >
      <span>{isForgotten ? 'Nothing is kept here' : 'Forget what is kept here'}</span>
    </button>
  )
}

function Footer(props: SidebarProps): ReactElement {
  const { service, transport, onTransport, language, onLanguage } = props
  const { theme, onTheme, onService } = props
  return (
    <div className="demo-foot">
      {service.isBuiltIn ? (
        <Choice
          legend="Server"
          isLegendShown
          options={languageNames}
          value={language}
          onChange={onLanguage}
        />
      ) : null}
      {service.isBuiltIn && language === 'python' ? (
        <Choice
          legend="Transport"
          isLegendShown
          options={transportNames}
          value={transport}
          onChange={onTransport}
        />
      ) : null}
      <Choice legend="Theme" options={themeNames} value={theme} onChange={onTheme} />
      <ForgetButton service={service} />
      <button type="button" className="demo-button demo-service" onClick={onService}>
        <Icon name="service" />
        <span>{service.isBuiltIn ? 'Scripted agents' : new URL(service.url).host}</span>
      </button>
    </div>
  )
}
