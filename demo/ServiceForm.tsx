import type { FormEvent, ReactElement } from 'react'
import type { Service } from './Service.js'

/** Where a person says which service the page should talk to. The page loads again, since its policy names the service. */
export function ServiceForm({ service }: { readonly service: Service }): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const query = new URLSearchParams()
    for (const name of ['url', 'user']) {
      const value = form.get(name)
      if (typeof value === 'string') query.set(name, value.trim())
    }
    location.assign(`?${query.toString()}`)
  }
  return (
    <form className="demo-form" onSubmit={submit}>
      <h2>Agent service</h2>
      <p>
        {service.isBuiltIn
          ? 'You are talking to agents that follow a script. They need no key and no network.'
          : 'You are talking to a real AgentScope service. It must allow requests from this page (CORS).'}
      </p>
      <label className="demo-field">
        <span>Address</span>
        <input
          name="url"
          type="url"
          required
          autoComplete="url"
          placeholder="http://127.0.0.1:8000"
          defaultValue={service.isBuiltIn ? '' : service.url}
        />
      </label>
      <label className="demo-field">
        <span>User id</span>
        <input name="user" required autoComplete="username" defaultValue={service.user} />
      </label>
      <div className="demo-actions">
        <button type="submit" className="demo-button demo-primary">
          Connect
        </button>
        {service.isBuiltIn ? null : (
          <button type="button" className="demo-button" onClick={() => location.assign('./')}>
            Back to where it started
          </button>
        )}
      </div>
    </form>
  )
}
