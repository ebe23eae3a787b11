# A site that signs users in with an OmniAuth strategy, which the clients in this folder provide.
require 'rack'
require 'rack/handler/webrick'
require 'omniauth'

URL = ENV.fetch('URL')
# A link starts the sign-in, for which current sites would post a form.
OmniAuth.config.allowed_request_methods = %i[get post]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new(File::NULL)
# Turns the strategy's errors into a page with status 401.
OmniAuth.config.on_failure = ->(env) { page(401, "You are not signed in. #{env['omniauth.error'].inspect}") }

def page(status, text, headers = {})
  [status, { 'content-type' => 'text/plain', **headers }, [text]]
end

def redirect(path)
  page(302, '', 'location' => URL + path)
end

# @yield session values of a signed-in user in addition to the name
def answer(env, strategy)
  request = Rack::Request.new(env)
  session = request.session
  case request.path
  when '/login' then redirect("/auth/#{strategy}")
  when "/auth/#{strategy}/callback"
    session.update(yield(env['omniauth.auth']))
    redirect('/me')
  when '/me' then session['person'] ? page(200, session['person']) : page(401, 'Not signed in.')
  when '/userinfo' then page(200, session['first_name'].to_s)
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
