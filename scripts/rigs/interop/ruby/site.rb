# A site whose people sign in by a strategy of OmniAuth; the clients of this folder say which.
require 'rack'
require 'rack/handler/webrick'
require 'omniauth'

URL = ENV.fetch('URL')
# A link begins a sign-in here; sites of today would post a form.
OmniAuth.config.allowed_request_methods = %i[get post]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new(File::NULL)
# Of what the strategy refuses it makes a page that says so.
OmniAuth.config.on_failure = ->(env) { page(401, "You are not signed in. #{env['omniauth.error'].inspect}") }

def page(status, text, headers = {})
  [status, { 'content-type' => 'text/plain', **headers }, [text]]
end

def redirect(path)
  page(302, '', 'location' => URL + path)
end

# @yield what is remembered of a person who has signed in, besides the name
def answer(env, strategy)
  request = Rack::Request.new(env)
  session = request.session
  case request.path
  when '/login' then redirect("/auth/#{strategy}")
  when "/auth/#{strategy}/callback"
    session.update(yield(env['omniauth.auth']))
    redirect('/me')
  when '/me' then session['person'] ? page(200, session['person']) : page(401, 'Nobody is signed in.')
  when '/userinfo' then page(200, session['said'].to_s)
  when '/logout'
    session.delete('person')
    redirect("/auth/#{strategy}/#{LOGOUT}")
  else page(200, 'Goodbye.')
  end
end

def serve(strategy, options, &remembered)
  site = Rack::Builder.new do
    use Rack::Session::Cookie, key: "site-#{ENV.fetch('PORT')}", secret: 'a' * 64
    use(OmniAuth::Builder) { provider strategy, **options }
    run ->(env) { answer(env, options.fetch(:name), &remembered) }
  end
  Rack::Handler::WEBrick.run(site, Host: 'localhost', Port: ENV.fetch('PORT'), Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
end
