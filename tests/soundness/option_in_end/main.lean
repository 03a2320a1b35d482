set_option maxHeartbeats 100 in
end