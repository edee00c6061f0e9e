# Runs a Redmine from the folder that this file was copied to: makes its database, switches the REST API on, makes a project
# that is not public and a user who may write tickets there, and prints its address and the user's key once it listens.
$stdout.sync = true
Dir.chdir(__dir__) # where Rails looks for migrations
require File.expand_path('config/environment', __dir__)

ActiveRecord::Base.connection.execute('PRAGMA synchronous = OFF') # the database lives as long as the tests
ActiveRecord::Migration.verbose = false
ActiveRecord::Base.connection.migration_context.migrate
ActiveRecord::Base.descendants.each(&:reset_column_information)
Redmine::DefaultData::Loader.load('en')
Setting.rest_api_enabled = '1'

project = Project.new(name: 'Support', identifier: 'support', is_public: false, trackers: Tracker.all)
project.save!
user = User.new(firstname: 'Opledger', lastname: 'Server', mail: 'opledger@example.com')
user.login = 'opledger'
user.password = user.password_confirmation = SecureRandom.hex
user.save!
Member.create!(project: project, principal: user, roles: [Role.find_by!(name: 'Developer')])

require 'rack/handler/webrick'
options = { Host: '127.0.0.1', Port: 0, Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN), AccessLog: [] }
Rack::Handler::WEBrick.run(Rails.application, **options) do |server|
  puts "http://127.0.0.1:#{server.listeners.first.addr[1]} #{user.api_key}"
end
